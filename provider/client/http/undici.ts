import api from "undici/lib/api/index.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import retry from "undici/lib/interceptor/retry.js";
import { FormData } from "undici/lib/web/fetch/formdata.js";

// This module imports only parts of undici, because undici's main file takes twice as long to load and uses 5 MB more
// memory. The lock file pins undici's version, so the imported paths exist. The line below is copied from the main file.
// It adds methods to all dispatchers, and undici's own proxies call these methods.
// test/client/undici.test.ts fails if the main file exports different classes or adds different methods.
Object.assign(Dispatcher.prototype, api);

export { Agent, EnvHttpProxyAgent, FormData, retry };
