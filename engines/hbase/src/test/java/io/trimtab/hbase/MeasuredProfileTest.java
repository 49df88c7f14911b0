package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.Profile;
import org.junit.jupiter.api.Test;

class MeasuredProfileTest {

  @Test
  void everyStandardSplitIsRecognisedInSpiteOfRounding() {
    for (Profile profile : Profile.STANDARD) {
      assertThat(
              MeasuredProfile.of(
                  profile.cacheFraction() - 0.004,
                  profile.memstoreFraction() + 0.004,
                  profile.blockSizeBytes()))
          .contains(profile);
    }
  }

  @Test
  void readAndScanAreToldApartByTheBlockSizeOfTheNodesTables() {
    assertThat(MeasuredProfile.of(0.55, 0.10, 128 << 10)).contains(Profile.SCAN);
    assertThat(MeasuredProfile.of(0.55, 0.10, 32 << 10)).contains(Profile.READ);
    assertThat(MeasuredProfile.of(0.55, 0.10, 0)).contains(Profile.READ);
  }

  @Test
  void anyOtherSplitIsCustom() {
    assertThat(MeasuredProfile.of(0.4, 0.4, 65536))
        .contains(new Profile(MeasuredProfile.CUSTOM, 0.4, 0.4, 65536));
  }

  @Test
  void numbersThatAreNoSplitGiveNone() {
    assertThat(MeasuredProfile.of(0, 0.4, 65536)).isEmpty();
    assertThat(MeasuredProfile.of(Double.NaN, 0.4, 65536)).isEmpty();
    assertThat(MeasuredProfile.of(0.6, 0.4, 65536)).isEmpty();
  }
}
