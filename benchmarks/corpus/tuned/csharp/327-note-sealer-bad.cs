using System;
using System.IO;
using System.Security.Cryptography;
using System.Text;

namespace Notes.Storage;

public interface INoteSealer
{
    byte[] Seal(string note);
}

public sealed class NoteSealer : INoteSealer
{
    private readonly byte[] _key;

    public NoteSealer(byte[] key)
    {
        if (key.Length != 8)
            throw new ArgumentException("The key must have 8 bytes.", nameof(key));
        _key = key;
    }

    public byte[] Seal(string note)
    {
        var plain = Encoding.UTF8.GetBytes(note);
        using var output = new MemoryStream();
        using var cipher = DES.Create();
        cipher.Key = _key;
        cipher.GenerateIV();
        output.Write(cipher.IV);
        output.Write(cipher.EncryptCbc(plain, cipher.IV));
        return output.ToArray();
    }
}
