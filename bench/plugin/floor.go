// A minimal provider in Go, with which our provider is compared. It sends no requests and returns the outputs of a real
// object.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"regexp"
	"strconv"
	"syscall"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"
)

const largestMessageBytes = 400 << 20

type floor struct {
	pulumirpc.UnimplementedResourceProviderServer
	outputs           map[string]map[string]any
	readsBeforeUpdate bool
}

func (*floor) Handshake(context.Context, *pulumirpc.ProviderHandshakeRequest) (*pulumirpc.ProviderHandshakeResponse, error) {
	return &pulumirpc.ProviderHandshakeResponse{AcceptSecrets: true, AcceptResources: true, AcceptOutputs: true, SupportsAutonamingConfiguration: true}, nil
}

func (*floor) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: "0.1.0"}, nil
}

func (*floor) Cancel(context.Context, *emptypb.Empty) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

func (*floor) CheckConfig(_ context.Context, request *pulumirpc.CheckRequest) (*pulumirpc.CheckResponse, error) {
	return &pulumirpc.CheckResponse{Inputs: request.News}, nil
}

func (*floor) DiffConfig(context.Context, *pulumirpc.DiffRequest) (*pulumirpc.DiffResponse, error) {
	return &pulumirpc.DiffResponse{Changes: pulumirpc.DiffResponse_DIFF_NONE}, nil
}

func (provider *floor) Configure(_ context.Context, request *pulumirpc.ConfigureRequest) (*pulumirpc.ConfigureResponse, error) {
	provider.readsBeforeUpdate = request.GetArgs().GetFields()["driftDetection"].GetStringValue() != "on-refresh"
	return &pulumirpc.ConfigureResponse{AcceptSecrets: true, SupportsPreview: true, AcceptResources: true, AcceptOutputs: true, SupportsAutonamingConfiguration: true}, nil
}

func (*floor) Check(_ context.Context, request *pulumirpc.CheckRequest) (*pulumirpc.CheckResponse, error) {
	return &pulumirpc.CheckResponse{Inputs: request.News}, nil
}

func (*floor) Diff(context.Context, *pulumirpc.DiffRequest) (*pulumirpc.DiffResponse, error) {
	return &pulumirpc.DiffResponse{Changes: pulumirpc.DiffResponse_DIFF_NONE}, nil
}

func (provider *floor) Create(_ context.Context, request *pulumirpc.CreateRequest) (*pulumirpc.CreateResponse, error) {
	id := ""
	if !request.Preview {
		var bytes [16]byte
		rand.Read(bytes[:])
		id = fmt.Sprintf("%x-%x-%x-%x-%x", bytes[0:4], bytes[4:6], bytes[6:8], bytes[8:10], bytes[10:])
	}
	object, err := structpb.NewStruct(provider.outputs[request.Type])
	if err != nil {
		return nil, err
	}
	if object.Fields["dbId"] != nil {
		object.Fields["dbId"] = structpb.NewStringValue(id)
	}
	for name, value := range request.Properties.Fields {
		object.Fields[name] = value
	}
	return &pulumirpc.CreateResponse{Id: id, Properties: object, RefreshBeforeUpdate: provider.readsBeforeUpdate}, nil
}

func (provider *floor) Read(_ context.Context, request *pulumirpc.ReadRequest) (*pulumirpc.ReadResponse, error) {
	return &pulumirpc.ReadResponse{Id: request.Id, Properties: request.Properties, Inputs: request.Inputs, RefreshBeforeUpdate: provider.readsBeforeUpdate}, nil
}

func (provider *floor) Update(_ context.Context, request *pulumirpc.UpdateRequest) (*pulumirpc.UpdateResponse, error) {
	return &pulumirpc.UpdateResponse{Properties: request.News, RefreshBeforeUpdate: provider.readsBeforeUpdate}, nil
}

func (*floor) Delete(context.Context, *pulumirpc.DeleteRequest) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

func main() {
	provider := &floor{readsBeforeUpdate: true}
	json.Unmarshal([]byte(os.Getenv("BENCH_OUTPUTS")), &provider.outputs)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	server := grpc.NewServer(grpc.MaxRecvMsgSize(largestMessageBytes))
	pulumirpc.RegisterResourceProviderServer(server, provider)
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	go func() { <-interrupted; end() }()
	// Waits until the engine exits, because the engine then closes standard input.
	go func() { io.Copy(io.Discard, os.Stdin); end() }()
	server.Serve(listener)
}

// Records the CPU time and memory that the process has used, as usage.ts does for the other plugins.
func end() {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	seconds := float64(usage.Utime.Sec+usage.Stime.Sec) + float64(usage.Utime.Usec+usage.Stime.Usec)/1e6
	if file, err := os.OpenFile(os.Getenv("BENCH_USAGE_FILE"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err == nil {
		fmt.Fprintf(file, "{\"seconds\":%f,\"peakMegabytes\":%f}\n", seconds, peakKilobytes(usage)/1024)
		file.Close()
	}
	os.Exit(0)
}

func peakKilobytes(usage syscall.Rusage) float64 {
	status, _ := os.ReadFile("/proc/self/status")
	if peak := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(status); peak != nil {
		kilobytes, _ := strconv.ParseFloat(string(peak[1]), 64)
		return kilobytes
	}
	return float64(usage.Maxrss)
}
