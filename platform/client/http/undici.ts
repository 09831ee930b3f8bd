import api from "undici/lib/api/index.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import retry from "undici/lib/interceptor/retry.js";
import { FormData } from "undici/lib/web/fetch/formdata.js";

// Loads only parts of undici, because its main file takes twice as long to load and 5 MB more memory (decision 86). The
// main file adds the methods of `api` to all dispatchers, and undici's own proxies call them. The lock file pins these
// paths, and test/client/undici.test.ts fails if the main file loads or adds other parts.
Object.assign(Dispatcher.prototype, api);

export { Agent, EnvHttpProxyAgent, FormData, retry };
