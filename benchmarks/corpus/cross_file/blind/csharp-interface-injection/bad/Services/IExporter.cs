namespace Exports.Services;

public interface IExporter
{
    void Export(string format);
}
