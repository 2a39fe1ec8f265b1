using System;
using System.Linq;
using System.Security.Cryptography;

public class SessionTokens
{
    private const string Letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

    public string NewToken(int length = 24)
    {
        var token = new char[length];
        for (var i = 0; i < length; i++)
        {
            token[i] = Letters[RandomNumberGenerator.GetInt32(Letters.Length)];
        }
        return new string(token);
    }
}
