const fontFamily = "system-ui, sans-serif";

window.Redoc.init(
  "/openapi.json",
  {
    nativeScrollbars: true,
    requiredPropsFirst: true,
    theme: {
      colors: { primary: { main: "#1f5f5b" } },
      sidebar: { backgroundColor: "#f6f5f1" },
      rightPanel: { backgroundColor: "#24302f" },
      typography: {
        fontFamily,
        headings: { fontFamily, fontWeight: "600" },
        code: { fontFamily: "ui-monospace, monospace" },
      },
    },
  },
  document.getElementById("docs"),
);
