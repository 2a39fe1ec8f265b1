namespace Files.Services;

public interface IFileReader
{
    string Read(string name);
}
