package io.trimtab.experiments.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.AnnotationLine;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Throughput over time, with what the controller did marked on it. */
public final class ThroughputPlot {
  /** One colour per line, distinguishable with colour blindness (Okabe and Ito). */
  static final Color[] COLORS = {
    new Color(0x000000), new Color(0xE69F00), new Color(0x56B4E9), new Color(0x009E73),
    new Color(0x0072B2), new Color(0xD55E00), new Color(0xCC79A7), new Color(0x999999)
  };

  /**
   * Something that happened.
   *
   * @param second seconds since the start
   * @param label shown next to its line; empty for a thin line without text
   */
  public record Mark(double second, String label) {}

  /**
   * A line of the plot.
   *
   * @param opsPerSecond one value a second
   */
  public record Curve(String name, double[] opsPerSecond) {}

  private ThroughputPlot() {}

  public static void write(Path png, String title, List<Curve> lines, List<Mark> marks)
      throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(1200)
            .height(600)
            .title(title)
            .xAxisTitle("seconds")
            .yAxisTitle("operations per second")
            .build();
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
    chart
        .getStyler()
        .setDefaultSeriesRenderStyle(org.knowm.xchart.XYSeries.XYSeriesRenderStyle.Line);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setYAxisMin(0.0);
    chart.getStyler().setAnnotationLineStroke(new BasicStroke(1.0f));
    chart.getStyler().setAnnotationLineColor(new Color(0xBBBBBB));
    double top = 1;
    int color = 0;
    for (Curve line : lines) {
      double[] x = new double[line.opsPerSecond().length];
      for (int i = 0; i < x.length; i++) {
        x[i] = i;
        top = Math.max(top, line.opsPerSecond()[i]);
      }
      if (x.length == 0) {
        continue;
      }
      var series = chart.addSeries(line.name(), x, line.opsPerSecond());
      series.setMarker(SeriesMarkers.NONE);
      series.setLineColor(COLORS[color % COLORS.length]);
      series.setLineWidth(color == 0 ? 2.5f : 1.2f);
      color++;
    }
    int row = 0;
    for (Mark mark : marks) {
      chart.addAnnotation(new AnnotationLine(mark.second(), true, false));
      if (!mark.label().isEmpty()) {
        chart.addAnnotation(
            new AnnotationText(
                mark.label(), mark.second(), top * (0.98 - 0.05 * (row % 6)), false));
        row++;
      }
    }
    BitmapEncoder.saveBitmap(chart, png.toString(), BitmapEncoder.BitmapFormat.PNG);
  }

  /** Mean over a sliding window of {@code seconds}, so that a plot can be read. */
  public static double[] smooth(double[] values, int seconds) {
    double[] result = new double[values.length];
    double sum = 0;
    for (int i = 0; i < values.length; i++) {
      sum += values[i] - (i >= seconds ? values[i - seconds] : 0);
      result[i] = sum / Math.min(i + 1, seconds);
    }
    return result;
  }

  /** Lines of a run: the total first, then each tenant. */
  public static List<Curve> lines(
      double[] total, Map<String, double[]> tenants, int smoothSeconds) {
    var lines = new java.util.ArrayList<Curve>();
    lines.add(new Curve("total", smooth(total, smoothSeconds)));
    tenants.forEach((name, values) -> lines.add(new Curve(name, smooth(values, smoothSeconds))));
    return lines;
  }
}
