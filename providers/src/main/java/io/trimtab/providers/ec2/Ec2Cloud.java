package io.trimtab.providers.ec2;

import io.trimtab.engineapi.EngineException;
import io.trimtab.providers.cloud.Cloud;
import io.trimtab.providers.cloud.CloudMachine;
import io.trimtab.providers.cloud.Lines;
import io.trimtab.providers.cloud.Marks;
import io.trimtab.providers.cloud.NoRoomException;
import io.trimtab.providers.cloud.Order;
import io.trimtab.providers.cloud.TokenSpentException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.CreateTagsRequest;
import software.amazon.awssdk.services.ec2.model.DescribeInstancesRequest;
import software.amazon.awssdk.services.ec2.model.DescribeInstancesResponse;
import software.amazon.awssdk.services.ec2.model.Filter;
import software.amazon.awssdk.services.ec2.model.IamInstanceProfileSpecification;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.ec2.model.InstanceMetadataOptionsRequest;
import software.amazon.awssdk.services.ec2.model.InstanceMetadataTagsState;
import software.amazon.awssdk.services.ec2.model.InstanceStateName;
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
  private static final Logger LOG = LoggerFactory.getLogger(Ec2Cloud.class);
  private static final String NAME = "Name";
  private static final String LIST = "DescribeInstances";
  private static final String RUN = "RunInstances";

  private static final int USER_DATA_MAX_BYTES = 16 << 10;

  /** As EC2 says it of an instance that it could not start after all. */
  private static final String NO_CAPACITY = "InsufficientInstanceCapacity";

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
        LIST,
        () -> {
          List<CloudMachine> machines = new ArrayList<>();
          for (DescribeInstancesResponse page : client.describeInstancesPaginator(request)) {
            for (Instance instance : instances(page)) {
              machines.add(machine(LIST, instance));
            }
          }
          // A filter takes an asterisk and a question mark for patterns.
          machines.removeIf(machine -> !cluster.equals(machine.marks().get(Marks.CLUSTER)));
          return machines;
        });
  }

  /** The SDK gives an empty list for one that is missing, as if there were no machine. */
  private List<Instance> instances(DescribeInstancesResponse page) throws EngineException {
    if (!page.hasReservations()) {
      throw Ec2Calls.senseless(title(), LIST, "has no list of reservations");
    }
    List<Instance> instances = new ArrayList<>();
    for (Reservation several : page.reservations()) {
      if (!several.hasInstances()) {
        throw Ec2Calls.senseless(title(), LIST, "has a reservation without a list of instances");
      }
      instances.addAll(several.instances());
    }
    return instances;
  }

  /**
   * @param action that has told of it
   */
  private CloudMachine machine(String action, Instance instance) throws EngineException {
    boolean whole =
        !text(instance.instanceId()).isBlank()
            && instance.state() != null
            && instance.state().name() != null
            && instance.tags().stream().allMatch(tag -> tag.key() != null);
    if (!whole) {
      throw Ec2Calls.senseless(
          title(), action, "has an instance without an id, without a state or with a nameless tag");
    }
    Map<String, String> marks = new TreeMap<>();
    instance.tags().forEach(tag -> marks.put(tag.key(), tag.value() == null ? "" : tag.value()));
    return new CloudMachine(
        instance.instanceId(),
        marks.getOrDefault(NAME, ""),
        text(instance.privateIpAddress()),
        text(instance.privateDnsName()),
        text(instance.instanceTypeAsString()),
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

  /**
   * In which subnet, depends on nothing but the request, and has a token of its own: EC2 knows a
   * token only in the zone in which it was used.
   */
  @Override
  public CloudMachine create(Order order) throws EngineException {
    List<String> subnets = settings.subnets().isEmpty() ? List.of("") : settings.subnets();
    int first = Math.floorMod(order.token("").hashCode(), subnets.size());
    for (int i = 1; i < subnets.size(); i++) {
      try {
        return created(order, subnets.get((first + i - 1) % subnets.size()));
      } catch (NoRoomException e) {
        LOG.info("another subnet is asked for a machine", e);
      }
    }
    return created(order, subnets.get((first + subnets.size() - 1) % subnets.size()));
  }

  /**
   * @param subnet empty: the default one
   */
  private CloudMachine created(Order order, String subnet) throws EngineException {
    RunInstancesRequest request = request(order, subnet);
    Instance instance =
        Ec2Calls.ask(
            title(),
            RUN,
            () -> {
              List<Instance> run = client.runInstances(request).instances();
              if (run.isEmpty()) {
                throw Ec2Calls.senseless(title(), RUN, "names no instance");
              }
              return run.get(0);
            });
    CloudMachine machine = machine(RUN, instance);
    InstanceStateName state = instance.state().name();
    if (state == InstanceStateName.TERMINATED || state == InstanceStateName.SHUTTING_DOWN) {
      throw new TokenSpentException(
          "%s, RunInstances: answers with instance %s of an earlier request, which is %s"
              .formatted(title(), machine.id(), state),
          null);
    }
    return machine;
  }

  private RunInstancesRequest request(Order order, String subnet) {
    RunInstancesRequest.Builder request =
        RunInstancesRequest.builder()
            .imageId(settings.image())
            .instanceType(order.type())
            .minCount(1)
            .maxCount(1)
            .clientToken(order.token(subnet))
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
    if (!subnet.isEmpty()) {
      request.subnetId(subnet);
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
    return request.build();
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

  @Override
  public boolean foundNoRoom(CloudMachine failed) {
    return failed.reason().contains(NO_CAPACITY);
  }

  @Override
  public int userDataMaxBytes() {
    return USER_DATA_MAX_BYTES;
  }

  /** Amazon tells quotas in numbers of CPUs of a family, by another API; refusals tell the rest. */
  @Override
  public OptionalInt room(String cluster, String type) {
    return OptionalInt.empty();
  }
}
