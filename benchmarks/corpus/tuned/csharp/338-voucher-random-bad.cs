using System;
using System.Linq;
using System.Security.Cryptography;

public class SessionTokens
{
    private const string Letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    private readonly Random _random = new();

    public string NewToken(int length = 24)
    {
        var token = new char[length];
        for (var i = 0; i < length; i++)
        {
            token[i] = Letters[_random.Next(Letters.Length)];
        }
        return new string(token);
    }
}
