package io.trimtab.providers.ec2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.providers.cloud.CloudMachine;
import io.trimtab.providers.cloud.MachineSettings;
import io.trimtab.providers.cloud.NoRoomException;
import io.trimtab.providers.cloud.Order;
import io.trimtab.providers.cloud.TokenSpentException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.DescribeInstancesRequest;
import software.amazon.awssdk.services.ec2.model.DescribeInstancesResponse;
import software.amazon.awssdk.services.ec2.model.Ec2Exception;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.ec2.model.InstanceState;
import software.amazon.awssdk.services.ec2.model.InstanceStateName;
import software.amazon.awssdk.services.ec2.model.Reservation;
import software.amazon.awssdk.services.ec2.model.RunInstancesRequest;
import software.amazon.awssdk.services.ec2.model.RunInstancesResponse;
import software.amazon.awssdk.services.ec2.model.Tag;
import software.amazon.awssdk.services.ec2.paginators.DescribeInstancesIterable;

/** What EC2 does that moto does not. */
class Ec2CloudTest {
  private static final List<String> SUBNETS = List.of("subnet-a", "subnet-b", "subnet-c");

  private final List<RunInstancesRequest> asked = new ArrayList<>();

  /** The codes of errors, by subnet. */
  private final Map<String, String> refusals = new HashMap<>();

  private InstanceStateName state = InstanceStateName.PENDING;

  private final Ec2Client api =
      (Ec2Client)
          Proxy.newProxyInstance(
              Ec2Client.class.getClassLoader(),
              new Class<?>[] {Ec2Client.class},
              (proxy, call, arguments) ->
                  switch (call.getName()) {
                    case "runInstances" -> run((RunInstancesRequest) arguments[0]);
                    case "describeInstances" -> all();
                    case "describeInstancesPaginator" ->
                        new DescribeInstancesIterable(
                            (Ec2Client) proxy, (DescribeInstancesRequest) arguments[0]);
                    default -> throw new UnsupportedOperationException(call.getName());
                  });

  private RunInstancesResponse run(RunInstancesRequest request) {
    asked.add(request);
    String refusal = refusals.get(request.subnetId());
    if (refusal != null) {
      throw refused(refusal);
    }
    return RunInstancesResponse.builder().instances(instance("i-1", "c1")).build();
  }

  private static AwsServiceException refused(String code) {
    return Ec2Exception.builder()
        .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).errorMessage("no").build())
        .build();
  }

  private Instance instance(String id, String cluster) {
    return Instance.builder()
        .instanceId(id)
        .state(InstanceState.builder().name(state).build())
        .tags(Tag.builder().key("trimtab-cluster").value(cluster).build())
        .build();
  }

  private DescribeInstancesResponse all() {
    return DescribeInstancesResponse.builder()
        .reservations(
            Reservation.builder().instances(instance("i-1", "c1"), instance("i-2", "c?")).build())
        .build();
  }

  private Ec2Cloud cloud(List<String> subnets) {
    MachineSettings machines =
        new MachineSettings(null, 16020, "m5.large", null, null, null, 3, null, null, null, null);
    return new Ec2Cloud(
        new Ec2Settings(
            "eu-west-1",
            null,
            null,
            null,
            null,
            "ami-1",
            subnets,
            null,
            null,
            null,
            null,
            null,
            machines,
            null),
        api);
  }

  private static Order order(String request) {
    return new Order("c1", request, 0, "m5.large", Map.of("trimtab-cluster", "c1"), "");
  }

  /** In another zone EC2 takes a token for a new one, and starts a second machine for it. */
  @Test
  void theSameRequestGoesToTheSameSubnetWhateverElseThereIs() throws EngineException {
    for (int number = 1; number <= 20; number++) {
      cloud(SUBNETS).create(order("p/new-" + number));
      cloud(SUBNETS).create(order("p/new-" + number));
    }
    for (int i = 0; i < asked.size(); i += 2) {
      assertThat(asked.get(i)).isEqualTo(asked.get(i + 1));
    }
    assertThat(asked).extracting(RunInstancesRequest::subnetId).containsAll(SUBNETS);
  }

  @Test
  void whereASubnetHasNoRoomTheNextOneIsAskedWithAnotherToken() throws EngineException {
    cloud(SUBNETS).create(order("p/new-1"));
    String first = asked.get(0).subnetId();
    refusals.put(first, "InsufficientInstanceCapacity");
    asked.clear();

    cloud(SUBNETS).create(order("p/new-1"));
    assertThat(asked).hasSize(2);
    assertThat(asked.get(1).subnetId()).isNotEqualTo(first);
    assertThat(asked.get(1).clientToken()).isNotEqualTo(asked.get(0).clientToken());

    SUBNETS.forEach(subnet -> refusals.put(subnet, "InsufficientFreeAddressesInSubnet"));
    asked.clear();
    assertThatThrownBy(() -> cloud(SUBNETS).create(order("p/new-1")))
        .isInstanceOf(NoRoomException.class)
        .hasMessageEndingWith("RunInstances: InsufficientFreeAddressesInSubnet: no");
    assertThat(asked)
        .extracting(RunInstancesRequest::subnetId)
        .containsExactlyInAnyOrderElementsOf(SUBNETS);
  }

  @Test
  void aMistakeIsToldAndNotMadeInEverySubnet() {
    SUBNETS.forEach(subnet -> refusals.put(subnet, "InvalidAMIID.NotFound"));
    assertThatThrownBy(() -> cloud(SUBNETS).create(order("p/new-1")))
        .isInstanceOf(EngineException.class)
        .isNotInstanceOf(NoRoomException.class);
    assertThat(asked).hasSize(1);
  }

  @Test
  void aTokenOfAnInstanceThatHasEndedIsSpent() throws EngineException {
    Ec2Cloud plain = cloud(List.of());
    refusals.put(null, "IdempotentInstanceTerminated");
    assertThatThrownBy(() -> plain.create(order("p/new-1")))
        .isInstanceOf(TokenSpentException.class);

    refusals.clear();
    state = InstanceStateName.TERMINATED;
    assertThatThrownBy(() -> plain.create(order("p/new-1")))
        .isInstanceOf(TokenSpentException.class)
        .hasMessageContaining("instance i-1 of an earlier request, which is terminated");
    state = InstanceStateName.RUNNING;
    assertThat(plain.create(order("p/new-1")).id()).isEqualTo("i-1");
  }

  /** The filter of the API takes the other cluster's id for a pattern. */
  @Test
  void aClustersIdIsNoPattern() throws EngineException {
    assertThat(cloud(List.of()).machines("c?")).extracting(CloudMachine::id).containsExactly("i-2");
  }
}
