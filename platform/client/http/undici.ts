import api from "undici/lib/api/index.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import retry from "undici/lib/interceptor/retry.js";
import { FormData } from "undici/lib/web/fetch/formdata.js";

// What undici's own entry does. With all that it loads beside this, fetch, web sockets and caches, it takes twice the time
// (decision 86).
Object.assign(Dispatcher.prototype, api);

export { Agent, EnvHttpProxyAgent, FormData, retry };
