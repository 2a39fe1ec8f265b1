using System.Security.Claims;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Mvc;

namespace Choir.Api;

public class Singer
{
    public int Id { get; set; }
    public string Name { get; set; } = "";
    public string Voice { get; set; } = "";
    public bool IsBoardMember { get; set; }
    public decimal FeesOwed { get; set; }
}

public record SingerInput(string Name, string Voice);

[Authorize(AuthenticationSchemes = "Bearer")]
[ApiController]
[Route("singers/me")]
public class SingerController(ChoirContext db) : ControllerBase
{
    [HttpPut]
    public async Task<IActionResult> Update([FromBody] SingerInput input, CancellationToken stop)
    {
        var id = int.Parse(User.FindFirstValue(ClaimTypes.NameIdentifier)!);
        var singer = await db.Singers.FindAsync([id], stop);
        if (singer is null)
        {
            return NotFound();
        }
        db.Entry(singer).CurrentValues.SetValues(input);
        await db.SaveChangesAsync(stop);
        return NoContent();
    }
}
