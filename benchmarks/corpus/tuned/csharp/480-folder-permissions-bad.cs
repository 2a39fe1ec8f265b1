using System;
using System.Collections.Generic;

namespace Vault.Access
{
    [Flags]
    public enum Rights
    {
        None = 0,
        Read = 1,
        Write = 2,
        Share = 4,
    }

    public sealed class Folder
    {
        private readonly IReadOnlyDictionary<string, Rights> _grants;
        private readonly List<string> _files = new();

        public Folder(IReadOnlyDictionary<string, Rights> grants)
        {
            _grants = grants;
        }

        public IReadOnlyList<string> List(string actor)
        {
            Demand(actor, Rights.Read);
            return _files.AsReadOnly();
        }

        public void AddFile(string actor, string name)
        {
            Demand(actor, Rights.Write);
            _files.Add(name);
        }

        private void Demand(string user, Rights wanted)
        {
            var held = _grants.TryGetValue(user, out var rights) ? rights : Rights.None;
            var missing = (held | wanted) == Rights.None;
            if (missing)
                throw new UnauthorizedAccessException($"{wanted} is not granted");
        }
    }
}
