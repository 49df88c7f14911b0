package io.trimtab.cassandraplugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JvmSwitchTest {
  private static final String NAME = "trimtab.test.switch";
  private final List<String> told = new ArrayList<>();

  @AfterEach
  void missing() {
    System.clearProperty(NAME);
  }

  private boolean given(String value) {
    System.setProperty(NAME, value);
    return JvmSwitch.given(NAME, told::add);
  }

  @Test
  void itIsOffWhereItIsMissing() {
    assertThat(JvmSwitch.given(NAME, told::add)).isFalse();
    assertThat(given("true")).isTrue();
    assertThat(given(" TRUE ")).isTrue();
    assertThat(given("false")).isFalse();
    assertThat(told).isEmpty();
  }

  @Test
  void whatIsNeitherIsToldAndOff() {
    assertThat(given("yes")).isFalse();
    assertThat(given("1")).isFalse();
    assertThat(told)
        .containsExactly(
            NAME + ": must be true or false, not yes; it is off",
            NAME + ": must be true or false, not 1; it is off");
  }
}
