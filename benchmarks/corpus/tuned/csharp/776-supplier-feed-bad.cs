using System.Xml;

namespace Grocer.Suppliers;

/// <summary>Reads the weekly price lists that suppliers send us by upload.</summary>
public static class SupplierFeed
{
    public static IDictionary<string, decimal> ReadPrices(Stream upload)
    {
        var prices = new Dictionary<string, decimal>();
        var settings = new XmlReaderSettings { XmlResolver = null, DtdProcessing = DtdProcessing.Parse };
        settings.MaxCharactersFromEntities = 0;
        using var reader = XmlReader.Create(upload, settings);
        while (reader.ReadToFollowing("article"))
        {
            var number = reader.GetAttribute("number");
            if (number is not null && reader.ReadToDescendant("price"))
            {
                prices[number] = reader.ReadElementContentAsDecimal();
            }
        }
        return prices;
    }
}
