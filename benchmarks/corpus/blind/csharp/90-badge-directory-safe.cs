using System.DirectoryServices;
using System.Text.RegularExpressions;

namespace Badges;

public class BadgeDirectory
{
    private readonly DirectoryEntry root;

    public BadgeDirectory(DirectoryEntry root)
    {
        this.root = root;
    }

    public string? MailOf(string account)
    {
        if (!Regex.IsMatch(account, @"\A[a-z0-9.]{1,30}\z"))
        {
            return null;
        }
        using var searcher = new DirectorySearcher(root);
        searcher.PropertiesToLoad.Add("mail");
        searcher.Filter = string.Format("(&(objectCategory=person)(sAMAccountName={0}))", account);
        var found = searcher.FindOne();
        if (found is null || found.Properties["mail"].Count == 0)
        {
            return null;
        }
        return found.Properties["mail"][0]?.ToString();
    }
}
