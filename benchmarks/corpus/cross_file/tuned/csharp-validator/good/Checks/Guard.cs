using System;
using System.Text.RegularExpressions;

namespace Tools.Checks;

public static class Guard
{
    public static void Tool(string name)
    {
        if (!Regex.IsMatch(name, "^[a-z]{1,12}$"))
        {
            throw new ArgumentException("unknown tool");
        }
    }
}
