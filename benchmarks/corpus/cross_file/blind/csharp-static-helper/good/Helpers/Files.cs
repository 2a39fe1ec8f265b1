using System.IO;

namespace Docs.Helpers
{
    public static class Files
    {
        public static string Load(string name)
        {
            return File.ReadAllText(Path.Combine("/srv/docs", Path.GetFileName(name)));
        }
    }
}
