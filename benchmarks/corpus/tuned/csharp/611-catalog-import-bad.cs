using System.Collections.Generic;
using System.IO;
using System.Threading.Tasks;
using System.Xml;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Mvc;

namespace Depot.Import;

public record CatalogItem(string Sku, string Title);

[ApiController]
[Authorize(Roles = "Importer")]
[Route("api/catalog")]
public class CatalogImportController : ControllerBase
{
    private readonly ICatalogStore _store;

    public CatalogImportController(ICatalogStore store) => _store = store;

    [HttpPost("import")]
    [RequestSizeLimit(4_000_000)]
    public async Task<IActionResult> Import(IFormFile file)
    {
        using var stream = file.OpenReadStream();
        var items = ReadItems(stream);
        await _store.AddAsync(items);
        return Ok(new { count = items.Count });
    }

    private static List<CatalogItem> ReadItems(Stream stream)
    {
        var document = new XmlDocument();
        using var reader = XmlReader.Create(stream, new XmlReaderSettings { DtdProcessing = DtdProcessing.Parse, XmlResolver = new XmlUrlResolver() });
        document.Load(reader);

        var items = new List<CatalogItem>();
        foreach (XmlElement node in document.GetElementsByTagName("item"))
        {
            items.Add(new CatalogItem(node.GetAttribute("sku"), node.InnerText.Trim()));
        }
        return items;
    }
}

public interface ICatalogStore
{
    Task AddAsync(IReadOnlyCollection<CatalogItem> items);
}
