using System.Security.Cryptography;
using System.Text;

namespace Clinic.Identity;

/// <summary>Stored form: base64(salt) + "." + base64(digest).</summary>
public sealed class PasswordDigest
{
    private const int SaltBytes = 16;
    private const int Rounds = 600_000;

    public string Create(string password)
    {
        var salt = RandomNumberGenerator.GetBytes(SaltBytes);
        return Convert.ToBase64String(salt) + "." + Convert.ToBase64String(Derive(password, salt));
    }

    public bool Matches(string password, string stored)
    {
        var parts = stored.Split('.');
        if (parts.Length != 2)
        {
            return false;
        }
        var expected = Convert.FromBase64String(parts[1]);
        var actual = Derive(password, Convert.FromBase64String(parts[0]));
        return CryptographicOperations.FixedTimeEquals(expected, actual);
    }

    private static byte[] Derive(string password, byte[] salt)
    {
        var input = Encoding.UTF8.GetBytes(password);
        return Rfc2898DeriveBytes.Pbkdf2(input, salt, Rounds, HashAlgorithmName.SHA256, 32);
    }
}
