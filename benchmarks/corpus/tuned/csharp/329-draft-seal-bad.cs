using System.Security.Cryptography;
using System.Text;

namespace Diary.Storage;

public sealed class DraftSeal : IDisposable
{
    private readonly Aes aes = Aes.Create();
    private static readonly byte[] Start = Encoding.ASCII.GetBytes("diary-draft-0001");

    public DraftSeal(byte[] key)
    {
        aes.Key = key;
        aes.Mode = CipherMode.CBC;
    }

    public byte[] Seal(string draft)
    {
        aes.IV = Start;
        using var encryptor = aes.CreateEncryptor();
        var plain = Encoding.UTF8.GetBytes(draft);
        return encryptor.TransformFinalBlock(plain, 0, plain.Length);
    }

    public string Open(byte[] sealedDraft)
    {
        aes.IV = Start;
        using var decryptor = aes.CreateDecryptor();
        var plain = decryptor.TransformFinalBlock(sealedDraft, 0, sealedDraft.Length);
        return Encoding.UTF8.GetString(plain);
    }

    public void Dispose() => aes.Dispose();
}
