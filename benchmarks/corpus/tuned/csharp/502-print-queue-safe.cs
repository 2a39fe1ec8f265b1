using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Mvc;

namespace PrintShop.Queue;

[JsonPolymorphic(TypeDiscriminatorPropertyName = "$type")]
[JsonDerivedType(typeof(PosterJob), "poster")]
[JsonDerivedType(typeof(BookletJob), "booklet")]
public abstract record PrintJob(string Document, int Copies, JsonElement? Finish);

public record PosterJob(string Document, int Copies, JsonElement? Finish, string Paper)
    : PrintJob(Document, Copies, Finish);

public record BookletJob(string Document, int Copies, JsonElement? Finish, int Pages)
    : PrintJob(Document, Copies, Finish);

[ApiController]
[Route("jobs")]
public class JobsController(IJobQueue queue) : ControllerBase
{
    [HttpPost]
    [RequestSizeLimit(64 * 1024)]
    public async Task<IActionResult> Enqueue(CancellationToken stop)
    {
        using var reader = new StreamReader(Request.Body);
        var body = await reader.ReadToEndAsync(stop);
        var settings = new JsonSerializerOptions { MaxDepth = 8, PropertyNameCaseInsensitive = true };
        if (JsonSerializer.Deserialize<PrintJob>(body, settings) is not { Copies: > 0 } job)
        {
            return BadRequest();
        }
        await queue.AddAsync(job, stop);
        return Accepted();
    }
}
