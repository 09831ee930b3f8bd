# Turns the JSON of a preview into Markdown: what differs, and what the provider says about it.
def name: .urn | split("::") | "\(.[-2] | split(":") | last) \(.[-1])";

[.steps[] | select(.op != "same" and .op != "refresh")] as $changes
| if $changes == [] and (.diagnostics // []) == [] then "No drift."
  else
    (if $changes == [] then empty else "| Resource | `pulumi up` would | Properties |", "|---|---|---|" end),
    ($changes[] | "| \(name) | \(.op) | \(.diffReasons // [] | join(", ")) |"),
    "",
    (.diagnostics // [] | .[] | "- " + (.message | rtrimstr("\n") | gsub("\n\\*?"; "")))
  end
