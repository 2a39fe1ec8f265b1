using System;

namespace Tools.Checks;

public static class Guard
{
    public static void Tool(string name)
    {
        Console.WriteLine("starting " + name.Length);
    }
}
