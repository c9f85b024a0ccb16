"""AdaBoost.MR, RankBoost and the descent on the mean margin, as plain functions; AdaBoost.MH is AdaBoost itself."""
