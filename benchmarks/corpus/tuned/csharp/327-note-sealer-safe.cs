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
        if (key.Length != 32)
            throw new ArgumentException("The key must have 32 bytes.", nameof(key));
        _key = key;
    }

    public byte[] Seal(string note)
    {
        var plain = Encoding.UTF8.GetBytes(note);
        using var output = new MemoryStream();
        using var cipher = new AesGcm(_key, 16);
        var nonce = RandomNumberGenerator.GetBytes(12);
        var tag = new byte[16];
        var sealedNote = new byte[plain.Length];
        cipher.Encrypt(nonce, plain, sealedNote, tag);
        output.Write(nonce);
        output.Write(tag);
        output.Write(sealedNote);
        return output.ToArray();
    }
}
