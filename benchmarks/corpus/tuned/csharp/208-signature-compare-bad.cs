using System;
using System.Security.Cryptography;
using System.Text;

public sealed class HookVerifier
{
    private readonly byte[] _secret;

    public HookVerifier(byte[] secret) => _secret = secret;

    public bool Verify(string body, string signature)
    {
        using var hmac = new HMACSHA256(_secret);
        var hash = hmac.ComputeHash(Encoding.UTF8.GetBytes(body));
        var expected = Convert.ToHexString(hash);
        return string.Equals(expected, signature, StringComparison.OrdinalIgnoreCase);
    }
}
