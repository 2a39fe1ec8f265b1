using System.Diagnostics;

namespace Exports.Services;

public class Exporter : IExporter
{
    public void Export(string format)
    {
        int number = int.Parse(format);
        Process.Start("cmd.exe", "/c export --format " + number);
    }
}
