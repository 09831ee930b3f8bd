/** What a package of the SQL client exports, in bundles. They open no WebSocket. */
export const { WebSocket } = globalThis;
