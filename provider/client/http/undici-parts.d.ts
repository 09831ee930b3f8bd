declare module "undici/lib/api/index.js" {
  const api: object;
  export default api;
}

declare module "undici/lib/dispatcher/agent.js" {
  export { Agent as default } from "undici";
}

declare module "undici/lib/dispatcher/dispatcher.js" {
  export { Dispatcher as default } from "undici";
}

declare module "undici/lib/dispatcher/env-http-proxy-agent.js" {
  export { EnvHttpProxyAgent as default } from "undici";
}

declare module "undici/lib/interceptor/retry.js" {
  import { interceptors } from "undici";
  export default interceptors.retry;
}

declare module "undici/lib/web/fetch/formdata.js" {
  export { FormData } from "undici";
}
