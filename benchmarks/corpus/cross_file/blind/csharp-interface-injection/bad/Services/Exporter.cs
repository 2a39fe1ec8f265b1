using System.Diagnostics;

namespace Exports.Services;

public class Exporter : IExporter
{
    public void Export(string format)
    {
        Process.Start("cmd.exe", "/c export --format " + format);
    }
}
