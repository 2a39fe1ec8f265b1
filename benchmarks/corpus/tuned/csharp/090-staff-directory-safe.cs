using System.Collections.Generic;
using System.DirectoryServices;
using System.Text;

namespace Intranet.Directory
{
    public sealed class StaffDirectory
    {
        private readonly string _base;

        public StaffDirectory(string ldapBase)
        {
            _base = ldapBase;
        }

        public IReadOnlyList<string> MailsOf(string surname)
        {
            var mails = new List<string>();
            using (var entry = new DirectoryEntry(_base))
            using (var searcher = new DirectorySearcher(entry))
            {
                var name = Escape(surname.Trim());
                searcher.Filter = $"(&(objectClass=person)(employeeType=public)(sn={name}))";
                searcher.PropertiesToLoad.Add("mail");
                searcher.SizeLimit = 50;
                using (var found = searcher.FindAll())
                {
                    foreach (SearchResult result in found)
                    {
                        if (result.Properties["mail"].Count > 0)
                            mails.Add((string)result.Properties["mail"][0]);
                    }
                }
            }
            return mails;
        }

        private static string Escape(string value)
        {
            var text = new StringBuilder(value.Length);
            foreach (var c in value)
            {
                if (c == '\\' || c == '*' || c == '(' || c == ')' || c == '\0')
                    text.Append('\\').Append(((int)c).ToString("x2"));
                else
                    text.Append(c);
            }
            return text.ToString();
        }
    }
}
