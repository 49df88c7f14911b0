package io.trimtab.providers.kubernetes;

class StatefulSetContractTest extends KubernetesContract {
  @Override
  void prepare() {
    kubernetes.configMap("rs");
    kubernetes.statefulSet("rs", 0, "");
  }

  @Override
  PoolSettings pool() {
    return kubernetes.pool("rs", null, "rs");
  }

  @Override
  boolean noted(String requestId) {
    return kubernetes
        .client
        .apps()
        .statefulSets()
        .inNamespace(FakeKubernetes.NAMESPACE)
        .withName("rs")
        .get()
        .getMetadata()
        .getAnnotations()
        .getOrDefault(Request.ANNOTATION, "")
        .contains("\"" + requestId + "\"");
  }
}
