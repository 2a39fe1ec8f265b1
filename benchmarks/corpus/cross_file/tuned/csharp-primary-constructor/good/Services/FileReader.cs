using System.IO;

namespace Files.Services;

public class FileReader(string root) : IFileReader
{
    public string Read(string name)
    {
        return File.ReadAllText(Path.Combine(root, Path.GetFileName(name)));
    }
}
