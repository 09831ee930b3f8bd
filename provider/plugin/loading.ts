import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";

type Method = (...call: readonly unknown[]) => void;

/** Every method of the protocol, served by what is loaded once the first of them is asked for (decision 84). */
export function loadedWhenAsked(load: () => Promise<object>): UntypedServiceImplementation {
  let loaded: Promise<object> | undefined;
  const serve =
    (name: string): Method =>
    async (...call) => {
      loaded ??= load();
      const methods = (await loaded) as Record<string, Method>;
      methods[name]?.(...call);
    };
  return Object.fromEntries(Object.keys(ResourceProviderService).map((name) => [name, serve(name)]));
}
