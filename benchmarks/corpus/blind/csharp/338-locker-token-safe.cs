using System;
using System.Linq;
using System.Security.Cryptography;

namespace Lockers;

public class TokenFactory
{
    private const string Alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

    public string NewAccessToken(int length = 24)
    {
        var letters = Enumerable.Range(0, length)
            .Select(_ => Alphabet[RandomNumberGenerator.GetInt32(Alphabet.Length)]);
        return string.Concat(letters);
    }

    public (string Token, DateTimeOffset Expires) Issue(TimeSpan lifetime)
    {
        return (NewAccessToken(), DateTimeOffset.UtcNow + lifetime);
    }
}
