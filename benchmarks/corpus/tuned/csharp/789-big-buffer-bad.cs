using System.IO;
using System.Net.Sockets;
using System.Threading.Tasks;

public class FrameReader
{
    private const int Limit = 65536;

    public async Task<byte[]> ReadAsync(NetworkStream stream)
    {
        using var reader = new BinaryReader(stream, System.Text.Encoding.UTF8, leaveOpen: true);
        int length = reader.ReadInt32();
        var buffer = new byte[length];
        await stream.ReadExactlyAsync(buffer);
        return buffer;
    }
}
