package io.trimtab.providers.ec2;

import io.trimtab.providers.ServedByHttps;
import java.io.IOException;
import javax.net.ssl.SSLContext;

/** An endpoint of one's own, whose certificate no authority that the JDK knows has signed. */
class Ec2HttpsTest extends ServedByHttps {
  @Override
  protected Service serve(SSLContext tls) throws IOException {
    String none = "<DescribeInstancesResponse><reservationSet/></DescribeInstancesResponse>";
    return answering(tls, "text/xml", asked -> none);
  }

  @Override
  protected String settings(int port, String ca) {
    return """
        provider:
          ec2:
            region: eu-west-1
            endpoint: https://127.0.0.1:%d
            accessKey: file:secret
            secretKey: file:secret
            image: ami-1
            machines: {port: 16020, type: m5.large, max: 3, poll: 100ms, keep: 0s}
            %s
        """
        .formatted(port, ca);
  }

  @Override
  protected String at(int port) {
    return "EC2 127.0.0.1:%d, DescribeInstances: ".formatted(port);
  }

  @Override
  protected String setting() {
    return "provider.ec2.ca";
  }
}
