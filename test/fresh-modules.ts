import { vi } from "vitest";

// Vitest runs this file before each test file. In a worker that runs several files, a module would otherwise keep the
// state and the hooks that it had in the first of them.
vi.resetModules();
