// Search results quote their page by fetching it, which browsers refuse for files opened from disk.
if (window.location.protocol === "file:") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}
