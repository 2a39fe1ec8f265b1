using System.Diagnostics;

namespace Tools.Running;

public class Runner
{
    public void Start(string tool)
    {
        Process.Start("/bin/sh", "-c tools/" + tool);
    }
}
