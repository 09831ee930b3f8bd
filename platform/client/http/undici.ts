import api from "undici/lib/api/index.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import retry from "undici/lib/interceptor/retry.js";
import { FormData } from "undici/lib/web/fetch/formdata.js";

// Undici's entry also loads fetch, web sockets, caches and mocks: twice the time and 5 MB more in every process
// (decision 86). The entry adds these methods to dispatchers, and undici's own proxies call them as well. The lock file
// pins the paths, and test/client/undici.test.ts fails when the entry loads other parts or adds other methods.
Object.assign(Dispatcher.prototype, api);

export { Agent, EnvHttpProxyAgent, FormData, retry };
