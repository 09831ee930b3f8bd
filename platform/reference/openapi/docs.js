const DARK = "(prefers-color-scheme: dark)";
const fontFamily = "system-ui, sans-serif";

const light = {
  colors: { primary: { main: "#1f5f5b" } },
  sidebar: { backgroundColor: "#f6f5f1" },
  rightPanel: { backgroundColor: "#24302f" },
};

const paper = "#14181a";
const card = "#1c2123";
const ink = "#e8e5de";
const quiet = "#a4acae";
const accent = "#84cbc3";

const dark = {
  colors: {
    tonalOffset: 0,
    primary: { main: accent, light: accent, dark: accent, contrastText: paper },
    success: { main: "#93d3a5" },
    warning: { main: "#e8bf78" },
    error: { main: "#f2a59b" },
    gray: { 50: card, 100: "#2e3538" },
    border: { dark: "#4a5458", light: "#2e3538" },
    text: { primary: ink, secondary: quiet },
    responses: {
      success: { color: "#93d3a5", backgroundColor: "#1c3324", tabTextColor: "#93d3a5" },
      error: { color: "#f2a59b", backgroundColor: "#3d2320", tabTextColor: "#f2a59b" },
    },
  },
  schema: {
    linesColor: "#4a5458",
    nestedBackground: card,
    typeNameColor: quiet,
    typeTitleColor: quiet,
    requireLabelColor: "#f2a59b",
    arrow: { color: quiet },
  },
  sidebar: { backgroundColor: card, textColor: ink, activeTextColor: accent, arrow: { color: quiet } },
  rightPanel: {
    backgroundColor: "#1a2226",
    textColor: ink,
    servers: { overlay: { backgroundColor: card, textColor: ink }, url: { backgroundColor: paper } },
  },
  codeBlock: { backgroundColor: paper },
};

const { matches: isDark } = matchMedia(DARK);
const theme = isDark ? dark : light;
const code = { fontFamily: "ui-monospace, monospace", ...(isDark && { color: "#f2a59b", backgroundColor: card }) };

window.Redoc.init(
  "/openapi.json",
  {
    nativeScrollbars: true,
    requiredPropsFirst: true,
    scrollYOffset: () => document.querySelector("header")?.offsetHeight ?? 0,
    theme: { ...theme, typography: { fontFamily, headings: { fontFamily, fontWeight: "600" }, code } },
  },
  document.getElementById("docs"),
);

// Reloads the page, because Redoc reads its colours only once.
matchMedia(DARK).addEventListener("change", () => location.reload());
