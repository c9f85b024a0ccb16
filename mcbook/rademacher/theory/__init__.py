"""The formulas of the chapter, as pure functions of their symbols."""
