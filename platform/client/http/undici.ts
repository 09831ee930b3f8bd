import api from "undici/lib/api/index.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import retry from "undici/lib/interceptor/retry.js";
import { FormData } from "undici/lib/web/fetch/formdata.js";

// Only parts of undici are loaded, because its main file takes twice the time and 5 MB more memory (decision 86).
// Undici's main file adds the methods of `api` to all dispatchers, and undici's own proxies call these methods. The
// lock file pins these paths, and test/client/undici.test.ts fails if undici's main file loads or adds other parts.
Object.assign(Dispatcher.prototype, api);

export { Agent, EnvHttpProxyAgent, FormData, retry };
