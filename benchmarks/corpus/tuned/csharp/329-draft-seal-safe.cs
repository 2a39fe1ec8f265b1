using System.Security.Cryptography;
using System.Text;

namespace Diary.Storage;

public sealed class DraftSeal : IDisposable
{
    private readonly Aes aes = Aes.Create();
    private const int IvBytes = 16;

    public DraftSeal(byte[] key)
    {
        aes.Key = key;
        aes.Mode = CipherMode.CBC;
    }

    public byte[] Seal(string draft)
    {
        aes.GenerateIV();
        using var encryptor = aes.CreateEncryptor();
        var plain = Encoding.UTF8.GetBytes(draft);
        return [.. aes.IV, .. encryptor.TransformFinalBlock(plain, 0, plain.Length)];
    }

    public string Open(byte[] sealedDraft)
    {
        aes.IV = sealedDraft[..IvBytes];
        using var decryptor = aes.CreateDecryptor();
        var plain = decryptor.TransformFinalBlock(sealedDraft, IvBytes, sealedDraft.Length - IvBytes);
        return Encoding.UTF8.GetString(plain);
    }

    public void Dispose() => aes.Dispose();
}
