using System;
using System.Linq;

namespace Lockers;

public class TokenFactory
{
    private const string Alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    private readonly Random random = new Random();

    public string NewAccessToken(int length = 24)
    {
        var letters = Enumerable.Range(0, length)
            .Select(_ => Alphabet[random.Next(Alphabet.Length)]);
        return string.Concat(letters);
    }

    public (string Token, DateTimeOffset Expires) Issue(TimeSpan lifetime)
    {
        return (NewAccessToken(), DateTimeOffset.UtcNow + lifetime);
    }
}
