using Exports.Services;
using Microsoft.AspNetCore.Mvc;

namespace Exports.Controllers;

public class ExportController : Controller
{
    private readonly IExporter _exporter;

    public ExportController(IExporter exporter)
    {
        _exporter = exporter;
    }

    [HttpPost]
    public IActionResult Run()
    {
        string format = Request.Form["format"];
        _exporter.Export(format);
        return NoContent();
    }
}
