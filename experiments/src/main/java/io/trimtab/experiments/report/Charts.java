package io.trimtab.experiments.report;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Plots of distributions and comparisons. */
public final class Charts {
  private static final int WIDTH = 1200;
  private static final int HEIGHT = 600;
  private static final int POINTS = 1_000;

  /**
   * A line.
   *
   * @param x and y alike many, &gt; 0 on a logarithmic axis
   */
  public record Line(String name, double[] x, double[] y) {
    /** Values over their number, from 1. */
    public static Line counted(String name, double[] y) {
      double[] x = new double[y.length];
      Arrays.setAll(x, i -> i + 1);
      return new Line(name, x, y);
    }

    /** Every so many points, where there are more than can be seen. */
    private Line thinned() {
      int step = Math.max(1, x.length / POINTS);
      int[] kept = IntStream.range(0, x.length / step).map(i -> (i + 1) * step - 1).toArray();
      return new Line(
          name,
          Arrays.stream(kept).mapToDouble(i -> x[i]).toArray(),
          Arrays.stream(kept).mapToDouble(i -> y[i]).toArray());
    }
  }

  /**
   * What the axes show.
   *
   * @param logX whether the horizontal one is logarithmic
   * @param logY whether the vertical one is
   */
  public record Axes(String x, String y, boolean logX, boolean logY) {
    /** Both from the least to the greatest value, in equal steps. */
    public static Axes linear(String x, String y) {
      return new Axes(x, y, false, false);
    }
  }

  private Charts() {}

  /** Lines; those without points are left out. */
  public static void lines(Path png, String title, Axes axes, List<Line> lines) throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(axes.x())
            .yAxisTitle(axes.y())
            .build();
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setXAxisLogarithmic(axes.logX());
    chart.getStyler().setYAxisLogarithmic(axes.logY());
    int color = 0;
    for (Line line : lines) {
      if (line.x().length > 0) {
        Line seen = line.thinned();
        var series = chart.addSeries(line.name(), seen.x(), seen.y());
        series.setMarker(SeriesMarkers.NONE);
        series.setLineColor(ThroughputPlot.COLORS[color % ThroughputPlot.COLORS.length]);
        series.setLineWidth(1.5f);
      }
      color++;
    }
    BitmapEncoder.saveBitmap(chart, png.toString(), BitmapEncoder.BitmapFormat.PNG);
  }

  /**
   * Bars on a logarithmic axis, a group for each category.
   *
   * @param values by series, one for each category, &gt; 0
   */
  public static void bars(
      Path png,
      String title,
      String yTitle,
      List<String> categories,
      Map<String, List<Double>> values)
      throws IOException {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .yAxisTitle(yTitle)
            .build();
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setYAxisLogarithmic(true);
    // Bars begin at zero where nothing else is said, which a logarithmic axis does not have.
    double least =
        values.values().stream()
            .flatMap(List::stream)
            .mapToDouble(value -> value)
            .filter(value -> value > 0)
            .min()
            .orElse(1);
    chart.getStyler().setYAxisMin(Math.pow(10, Math.floor(Math.log10(0.999 * least))));
    chart.getStyler().setXAxisLabelRotation(20);
    int color = 0;
    for (Map.Entry<String, List<Double>> series : values.entrySet()) {
      chart
          .addSeries(series.getKey(), categories, series.getValue())
          .setFillColor(ThroughputPlot.COLORS[color++ % ThroughputPlot.COLORS.length]);
    }
    BitmapEncoder.saveBitmap(chart, png.toString(), BitmapEncoder.BitmapFormat.PNG);
  }
}
