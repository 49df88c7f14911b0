package io.trimtab.providers.ec2;

import io.trimtab.engineapi.EngineException;
import io.trimtab.providers.cloud.Cloud;
import io.trimtab.providers.cloud.CloudMachine;
import io.trimtab.providers.cloud.Lines;
import io.trimtab.providers.cloud.Marks;
import io.trimtab.providers.cloud.Order;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.CreateTagsRequest;
import software.amazon.awssdk.services.ec2.model.DescribeInstancesRequest;
import software.amazon.awssdk.services.ec2.model.Filter;
import software.amazon.awssdk.services.ec2.model.IamInstanceProfileSpecification;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.ec2.model.InstanceMetadataOptionsRequest;
import software.amazon.awssdk.services.ec2.model.InstanceMetadataTagsState;
import software.amazon.awssdk.services.ec2.model.Placement;
import software.amazon.awssdk.services.ec2.model.RebootInstancesRequest;
import software.amazon.awssdk.services.ec2.model.Reservation;
import software.amazon.awssdk.services.ec2.model.ResourceType;
import software.amazon.awssdk.services.ec2.model.RunInstancesRequest;
import software.amazon.awssdk.services.ec2.model.StartInstancesRequest;
import software.amazon.awssdk.services.ec2.model.StopInstancesRequest;
import software.amazon.awssdk.services.ec2.model.Tag;
import software.amazon.awssdk.services.ec2.model.TagSpecification;
import software.amazon.awssdk.services.ec2.model.TerminateInstancesRequest;

/** The EC2 API. A request's token makes the API itself start no second machine for it. */
final class Ec2Cloud implements Cloud {
  private static final String NAME = "Name";

  /** Of a machine that is unknown, or not any more. */
  private static final String GONE = "InvalidInstanceID.NotFound";

  private final Ec2Settings settings;
  private final Ec2Client client;

  Ec2Cloud(Ec2Settings settings, Ec2Client client) {
    this.settings = settings;
    this.client = client;
  }

  @Override
  public String title() {
    return "EC2 "
        + (settings.endpoint() == null ? settings.region() : settings.uri().getAuthority());
  }

  @Override
  public List<CloudMachine> machines(String cluster) throws EngineException {
    DescribeInstancesRequest request =
        DescribeInstancesRequest.builder()
            .filters(Filter.builder().name("tag:" + Marks.CLUSTER).values(cluster).build())
            .build();
    return Ec2Calls.ask(
        title(),
        "DescribeInstances",
        () -> {
          List<CloudMachine> machines = new ArrayList<>();
          for (Reservation several : client.describeInstancesPaginator(request).reservations()) {
            several.instances().forEach(instance -> machines.add(machine(instance)));
          }
          return machines;
        });
  }

  private static CloudMachine machine(Instance instance) {
    Map<String, String> marks = new TreeMap<>();
    instance.tags().forEach(tag -> marks.put(tag.key(), tag.value() == null ? "" : tag.value()));
    return new CloudMachine(
        instance.instanceId(),
        marks.getOrDefault(NAME, ""),
        text(instance.privateIpAddress()),
        text(instance.privateDnsName()),
        text(instance.instanceTypeAsString()),
        text(instance.subnetId()),
        marks,
        state(instance),
        reason(instance),
        Optional.ofNullable(instance.launchTime()));
  }

  private static String text(String value) {
    return value == null ? "" : value;
  }

  private static CloudMachine.State state(Instance instance) {
    return switch (instance.state().name()) {
      case RUNNING -> CloudMachine.State.RUNNING;
      case STOPPING, SHUTTING_DOWN -> CloudMachine.State.STOPPING;
      case STOPPED -> CloudMachine.State.STOPPED;
      case TERMINATED -> CloudMachine.State.ENDED;
      default -> CloudMachine.State.STARTING;
    };
  }

  private static String reason(Instance instance) {
    return instance.stateReason() == null || instance.stateReason().message() == null
        ? ""
        : Lines.of(instance.stateReason().message());
  }

  @Override
  public CloudMachine create(Order order) throws EngineException {
    RunInstancesRequest.Builder request =
        RunInstancesRequest.builder()
            .imageId(settings.image())
            .instanceType(order.type())
            .minCount(1)
            .maxCount(1)
            .clientToken(order.token())
            // The service on the machine reads its profile there at each start.
            .metadataOptions(
                InstanceMetadataOptionsRequest.builder()
                    .instanceMetadataTags(InstanceMetadataTagsState.ENABLED)
                    .build())
            .tagSpecifications(
                TagSpecification.builder()
                    .resourceType(ResourceType.INSTANCE)
                    .tags(tags(order))
                    .build());
    if (!order.userData().isEmpty()) {
      request.userData(
          Base64.getEncoder().encodeToString(order.userData().getBytes(StandardCharsets.UTF_8)));
    }
    if (!settings.subnets().isEmpty()) {
      request.subnetId(emptiest(order.present()));
    }
    if (!settings.securityGroups().isEmpty()) {
      request.securityGroupIds(settings.securityGroups());
    }
    if (settings.keyName() != null) {
      request.keyName(settings.keyName());
    }
    if (settings.instanceProfile() != null) {
      request.iamInstanceProfile(
          IamInstanceProfileSpecification.builder().name(settings.instanceProfile()).build());
    }
    if (settings.placementGroup() != null) {
      request.placement(Placement.builder().groupName(settings.placementGroup()).build());
    }
    RunInstancesRequest complete = request.build();
    return machine(
        Ec2Calls.ask(
            title(), "RunInstances", () -> client.runInstances(complete).instances().get(0)));
  }

  private List<Tag> tags(Order order) {
    Map<String, String> all = new TreeMap<>(settings.tags());
    all.putIfAbsent(NAME, order.name());
    all.putAll(order.marks());
    return tags(all);
  }

  private static List<Tag> tags(Map<String, String> marks) {
    return new TreeMap<>(marks)
        .entrySet().stream()
            .map(mark -> Tag.builder().key(mark.getKey()).value(mark.getValue()).build())
            .toList();
  }

  /** The subnet with the fewest machines of the cluster, the first of several. */
  private String emptiest(List<CloudMachine> present) {
    return settings.subnets().stream()
        .min(
            Comparator.comparingLong(
                subnet -> present.stream().filter(m -> m.place().equals(subnet)).count()))
        .orElseThrow();
  }

  @Override
  public void mark(CloudMachine machine, Map<String, String> marks) throws EngineException {
    CreateTagsRequest request =
        CreateTagsRequest.builder().resources(machine.id()).tags(tags(marks)).build();
    Ec2Calls.ask(title(), "CreateTags", () -> client.createTags(request));
  }

  @Override
  public void start(CloudMachine machine) throws EngineException {
    StartInstancesRequest request =
        StartInstancesRequest.builder().instanceIds(machine.id()).build();
    Ec2Calls.ask(title(), "StartInstances", () -> client.startInstances(request));
  }

  @Override
  public void reboot(CloudMachine machine) throws EngineException {
    RebootInstancesRequest request =
        RebootInstancesRequest.builder().instanceIds(machine.id()).build();
    Ec2Calls.ask(title(), "RebootInstances", () -> client.rebootInstances(request));
  }

  @Override
  public void stop(CloudMachine machine) throws EngineException {
    StopInstancesRequest request = StopInstancesRequest.builder().instanceIds(machine.id()).build();
    Ec2Calls.ask(title(), "StopInstances", () -> client.stopInstances(request));
  }

  @Override
  public void delete(CloudMachine machine) throws EngineException {
    TerminateInstancesRequest request =
        TerminateInstancesRequest.builder().instanceIds(machine.id()).build();
    Ec2Calls.ask(
        title(),
        "TerminateInstances",
        () -> {
          try {
            return client.terminateInstances(request).terminatingInstances().size();
          } catch (AwsServiceException e) {
            if (Ec2Calls.code(e).equals(GONE)) {
              return 0;
            }
            throw e;
          }
        });
  }

  /** A machine's system gets the time of an orderly shutdown from EC2 itself. */
  @Override
  public boolean shutsDown() {
    return true;
  }

  /** Amazon tells quotas in numbers of CPUs of a family, by another API; refusals tell the rest. */
  @Override
  public OptionalInt room(String type) {
    return OptionalInt.empty();
  }
}
