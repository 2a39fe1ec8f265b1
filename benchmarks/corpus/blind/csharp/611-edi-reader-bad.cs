using System.Collections.Generic;
using System.IO;
using System.Xml;

namespace Freight.Edi;

public sealed class EdiReader
{
    private static XmlReaderSettings Settings()
    {
        return new XmlReaderSettings
        {
            IgnoreWhitespace = true,
            DtdProcessing = DtdProcessing.Parse,
            XmlResolver = new XmlUrlResolver(),
        };
    }

    public IReadOnlyList<string> Consignments(Stream upload)
    {
        var numbers = new List<string>();
        using var reader = XmlReader.Create(upload, Settings());
        while (reader.ReadToFollowing("consignment"))
        {
            numbers.Add(reader.ReadElementContentAsString());
        }
        return numbers;
    }
}
